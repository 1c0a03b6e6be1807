// Pages in one file that need neither the internet nor a script.

import { readFileSync } from 'node:fs'
import { ownFile } from '../own-file.ts'
import { type Html, html, markup } from './html.ts'

/** The style of all pages. */
export function stylesheet(): string {
  return readFileSync(ownFile('src/pages/page.css'), 'utf8')
}

export function section(title: string, body: Html): Html {
  return html`<section><h2>${title}</h2>
${body}
</section>
`
}

/** A sentence that readers need to understand the rest. */
export function notice(text: string): Html {
  return html`<p class="notice">${text}</p>\n`
}

/** @param iso such as `2026-11-22T09:15:31.123Z` */
export function timeOf(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

/**
 * @param lead the first lines, below the title
 * @param body sections
 * @param generator marks pages of one kind
 */
export function page(title: string, lead: Html, body: Html, generator = 'Lookup Service'): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'"
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="generator" content="${generator}">
<title>${title}</title><style>${markup(stylesheet())}</style></head>
<body><header><h1>${title}</h1>
${lead}</header>
<main>
${body}
</main></body></html>
`.text
}
