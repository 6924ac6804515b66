/** A package that could not be had; the message says why, in the words of Terraform where it has some. */
export class FetchFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FetchFailed';
  }
}
