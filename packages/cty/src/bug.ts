/** An internal error: a violated invariant of the program, never an error of the user. */
export class Bug extends Error {
  override readonly name: string = 'Bug';
}
