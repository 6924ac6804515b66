/** A PEM block. */
export interface PemBlock {
  /** the label after BEGIN: "CERTIFICATE" */
  readonly type: string;
  readonly bytes: Buffer;
}

const BLOCK =
  /(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t]*\r?\n((?:[^\n:]+:[^\n]*\n)*)([\sA-Za-z0-9+/=]*?)\r?\n?-----END \1-----/;

/** The first PEM block in a text. */
export function decodePem(text: string): PemBlock | undefined {
  const [, type, , body] = BLOCK.exec(text) ?? [];
  if (type === undefined || body === undefined) return undefined;
  return { type, bytes: Buffer.from(body, 'base64') };
}

/** Bytes as a PEM block, in lines of 64 characters. */
export function encodePem(type: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n');
}
