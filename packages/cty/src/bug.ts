/** A fault of this program, never of the user: a broken promise between its parts. */
export class Bug extends Error {
  override readonly name: string = 'Bug';
}
