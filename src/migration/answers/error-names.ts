// What the members and elements of errors are called, where an answer is an error and nothing else.

/** Such as Error, ErrorCode, error_message or Message: no field of a user or an app is called so. */
export function isErrorName(name: string): boolean {
  return errorName.test(name)
}

const errorName = /^(?:errors?|message|error[_-]?(?:code|message|text))$/i
