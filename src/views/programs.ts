// The declaration of each program by its name. To add a program, write a file beside this one, and add its
// name to `names` in `program.ts`. A change here reaches only `lookup views`, which loads this file.

import { discourse } from './discourse.ts'
import { drupal } from './drupal.ts'
import { flarum } from './flarum.ts'
import { mybb } from './mybb.ts'
import { phpbb } from './phpbb.ts'
import type { Program, ProgramName } from './program.ts'
import { smf } from './smf.ts'
import { vbulletin } from './vbulletin.ts'
import { wordpress } from './wordpress.ts'
import { xenforo } from './xenforo.ts'

export const programs: Readonly<Record<ProgramName, Program>> = {
  phpbb,
  mybb,
  smf,
  vbulletin,
  xenforo,
  wordpress,
  flarum,
  discourse,
  drupal,
}
