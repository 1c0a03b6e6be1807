import { expect, test } from 'vitest'
import { canWrite } from '../../../src/stores/mysql/grants.ts'

test.for([
  ['GRANT SELECT, SHOW VIEW ON `forum`.`users` TO `r`@`%`', false],
  ['GRANT SELECT, INSERT ON `forum`.`users` TO `r`@`%`', true],
  ['GRANT SELECT (`id`), UPDATE (`rank`) ON "forum"."users" TO "r"@"%"', true],
  ['GRANT ALL PRIVILEGES ON `forum`.* TO `r`@`%` WITH GRANT OPTION', true],
  ['GRANT ALL PRIVILEGES ON `other`.* TO `r`@`%`', false],
  ['GRANT DELETE ON *.* TO `r`@`%` IDENTIFIED BY PASSWORD "*1"', true],
  ['GRANT INSERT ON `fo\\_rum`.* TO `r`@`%`', false],
  ['GRANT `writer`@`%` TO `r`@`%`', false],
] as const)('%s', ([grant, expected]) => {
  expect(canWrite(['GRANT USAGE ON *.* TO `r`@`%`', grant], 'forum')).toBe(expected)
})

test('a name is as the grant has it, its marks escaped', () => {
  expect(canWrite(['GRANT INSERT ON `fo\\_rum`.* TO `r`@`%`'], 'fo_rum')).toBe(true)
})
