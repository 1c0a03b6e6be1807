// The texts of settings: where each comes from, and how it is shown.

import { type SettingName, splitUrls } from './settings.ts'

export type Texts = Readonly<Record<string, string | undefined>>

/** Where the settings come from, the strongest first. */
export interface Sources {
  readonly flags?: Texts
  readonly environment?: Texts
  readonly envFile?: Texts
}

export interface Found {
  readonly text: string
  readonly source: 'flag' | 'environment' | '.env'
}

// An empty text is as good as none: that is how a compose file or a shell unsets one.
export function findText(name: SettingName, { flags, environment, envFile }: Sources): Found | null {
  if (flags?.[name]) return { text: flags[name], source: 'flag' }
  if (environment?.[name]) return { text: environment[name], source: 'environment' }
  if (envFile?.[name]) return { text: envFile[name], source: '.env' }
  return null
}

// Users and hosts stay readable; whatever may be a password does not, however the URL is broken.
export function hideSecrets(text: string): string {
  return splitUrls(text).map(hideSecretsOfUrl).join()
}

function hideSecretsOfUrl(text: string): string {
  return text
    .replace(
      /\/\/(.*)@/s,
      (_, login: string) => `//${login.includes(':') ? `${login.split(':')[0]}:` : ''}***@`,
    )
    .replace(/([?&][^=&]*(?:pass|secret|token|key)[^=&]*=)[^&]*/gi, '$1***')
}
