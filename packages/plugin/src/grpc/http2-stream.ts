import type { Headers } from './headers.ts';

/** Events of a request; the last one is a call with `end`, or `onLost`. */
export interface StreamEvents {
  onHeaders(headers: Headers, end: boolean): void;
  /** `data` is only good until the call returns. */
  onData(data: Buffer, end: boolean): void;
  /**
   * The peer reset the request (`code` of RFC 9113, section 7), or the connection is lost (undefined). `unsent`: the
   * peer did not process the request.
   */
  onLost(code: number | undefined, unsent: boolean): void;
}

/** A pending request. */
export interface Http2Stream {
  /** Sends more of its body. */
  write(data: Uint8Array, end: boolean): void;
  /** Cancels the request: no further events are reported. */
  cancel(): void;
}
