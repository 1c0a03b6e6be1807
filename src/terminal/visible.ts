/** Text from elsewhere, for a terminal or a page: control characters and those that turn the direction of writing are shown as U+FFFD. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, '\ufffd')
}
