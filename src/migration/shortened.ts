/** A text of so many characters at most, and a sign that there is more. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text
}
