/** A package that could not be fetched; the message has Terraform's text, if there is one. */
export class FetchFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FetchFailed';
  }
}
