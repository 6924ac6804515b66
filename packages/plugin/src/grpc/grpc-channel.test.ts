import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http2';
import type { Http2Server, ServerHttp2Session, ServerHttp2Stream, Settings } from 'node:http2';
import { connect, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { FRAME, frameOf, number32 } from './frames.ts';
import { GrpcChannel, GrpcError } from './grpc-channel.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'terrane-grpc-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'socket');
}

async function channelTo(path: string): Promise<GrpcChannel> {
  const socket = connect({ path });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const channel = new GrpcChannel(socket, false);
  cleanups.push(() => channel.close());
  return channel;
}

interface Peer {
  readonly channel: GrpcChannel;
  readonly server: Http2Server;
  readonly sessions: ServerHttp2Session[];
}

/** A server of Node's, which is made by others than us, and a channel to it. */
async function peer(
  answer: (stream: ServerHttp2Stream, path: string) => void,
  settings: Settings = {},
): Promise<Peer> {
  const server = createServer({ settings });
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => sessions.push(session));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    // The declarations contain the stream of either side.
    answer(stream as ServerHttp2Stream, String(headers[':path']));
  });
  const path = place();
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  cleanups.push(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { channel: await channelTo(path), server, sessions };
}

async function bodyOf(stream: ServerHttp2Stream): Promise<Buffer> {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  await finished(stream, { writable: false });
  return Buffer.concat(pieces);
}

function framed(message: Uint8Array, compressed = 0): Buffer {
  return Buffer.concat([Uint8Array.of(compressed), number32(message.length), message]);
}

interface Reply {
  readonly pieces?: readonly Uint8Array[];
  readonly headers?: Record<string, string>;
  readonly trailers?: Record<string, string>;
}

function reply(stream: ServerHttp2Stream, { pieces = [], headers, trailers }: Reply): void {
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', ...headers },
    {
      waitForTrailers: true,
    },
  );
  stream.on('wantTrailers', () => stream.sendTrailers(trailers ?? { 'grpc-status': '0' }));
  for (const piece of pieces) stream.write(piece);
  stream.end();
}

function echo(stream: ServerHttp2Stream): void {
  bodyOf(stream)
    .then((body) => reply(stream, { pieces: [body] }))
    // A request that was given up has no body.
    .catch(() => {});
}

async function errorOf(work: Promise<unknown>): Promise<GrpcError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof GrpcError) return error;
    throw error;
  }
  throw new Error('it ended well');
}

describe('a call with one message each way', () => {
  it('receives the echo of the peer during concurrent requests', async () => {
    const { channel } = await peer(echo);
    const messages = Array.from({ length: 500 }, (_, i) => Buffer.alloc(i * 3, i));
    const answers = await Promise.all(messages.map((each) => channel.unary('/a.B/C', each)));
    expect(answers.every((answer, i) => answer.equals(messages[i] ?? Buffer.of(1)))).toBe(true);
  });

  it('may be of many megabytes each way, through small windows', async () => {
    const { channel } = await peer(echo, { initialWindowSize: 1000, maxFrameSize: 16_384 });
    const message = Buffer.alloc(5_000_000, 'abcdefghijk');
    const answers = await Promise.all([1, 2, 3].map(() => channel.unary('/a.B/C', message)));
    for (const answer of answers) expect(answer.equals(message)).toBe(true);
  });

  it('respects the peer limit of concurrent streams', async () => {
    let most = 0;
    let now = 0;
    const { channel } = await peer(
      (stream) => {
        most = Math.max(most, ++now);
        setTimeout(() => {
          now--;
          echo(stream);
        }, 5);
      },
      { maxConcurrentStreams: 3 },
    );
    await channel.unary('/a.B/C', Buffer.of(1)); // the settings have come
    await Promise.all(Array.from({ length: 20 }, () => channel.unary('/a.B/C', Buffer.of(1))));
    expect(most).toBe(3);
  });

  it('joins messages that arrive in pieces', async () => {
    const message = Buffer.from('message');
    const { channel } = await peer((stream) => {
      const pieces = [...framed(message)].map((byte) => Uint8Array.of(byte));
      stream.resume();
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      const next = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) stream.end();
        else stream.write(piece, () => setImmediate(next));
      };
      next();
    });
    expect(await channel.unary('/a.B/C', Buffer.of())).toEqual(message);
  });

  it('ends with the status and the message of the other side', async () => {
    const { channel } = await peer((stream) => {
      stream.resume();
      reply(stream, { trailers: { 'grpc-status': '12', 'grpc-message': 'no %C3%BCber%25 here' } });
    });
    const error = await errorOf(channel.unary('/a.B/C', Buffer.of()));
    expect([error.code, error.message]).toEqual([12, 'no über% here']);
  });

  it('accepts a trailers-only response', async () => {
    const { channel } = await peer((stream) => {
      stream.resume();
      stream.respond({ ':status': 200, 'grpc-status': '7' }, { endStream: true });
    });
    expect((await errorOf(channel.unary('/a.B/C', Buffer.of()))).code).toBe(7);
  });

  it.each([
    [400, 13],
    [401, 16],
    [403, 7],
    [404, 12],
    [503, 14],
    [500, 2],
  ])('maps the HTTP status %d as gRPC does', async (status, code) => {
    const { channel } = await peer((stream) => {
      stream.resume();
      stream.respond({ ':status': status }, { endStream: true });
    });
    expect((await errorOf(channel.unary('/a.B/C', Buffer.of()))).code).toBe(code);
  });

  it.each([
    [2, 13],
    [7, 14],
    [8, 1],
    [11, 8],
    [12, 7],
  ])('maps a reset with %d as gRPC does', async (reset, code) => {
    const { channel } = await peer((stream) => stream.close(reset));
    expect((await errorOf(channel.unary('/a.B/C', Buffer.of()))).code).toBe(code);
  });

  it('rejects a compressed response and a missing one', async () => {
    const { channel } = await peer((stream, path) => {
      stream.resume();
      reply(stream, path === '/none' ? {} : { pieces: [framed(Buffer.of(1), 1)] });
    });
    expect((await errorOf(channel.unary('/some', Buffer.of()))).message).toMatch('compressed');
    expect((await errorOf(channel.unary('/none', Buffer.of()))).message).toMatch('without');
  });

  it('reads headers as another implementation writes them', async () => {
    let trailers: Record<string, string> = {};
    const { channel } = await peer((stream) => {
      stream.resume();
      reply(stream, { headers: { 'x-more': trailers['grpc-message'] ?? '' }, trailers });
    });
    const characters = fc.string({
      unit: fc
        .integer({ min: 33, max: 126 })
        .map((code) => String.fromCharCode(code))
        .filter((c) => c !== '%'),
      minLength: 1,
      maxLength: 400,
    });
    await fc.assert(
      fc.asyncProperty(characters, async (message) => {
        trailers = { 'grpc-status': '9', 'grpc-message': message };
        const error = await errorOf(channel.unary('/a.B/C', Buffer.of()));
        expect(error.message).toBe(message);
      }),
      { numRuns: 200 },
    );
  });

  it('reads headers of any length', async () => {
    const message = 'x{|}'.repeat(12_000);
    const { channel } = await peer((stream) => {
      stream.resume();
      reply(stream, { trailers: { 'grpc-status': '9', 'grpc-message': message } });
    });
    expect((await errorOf(channel.unary('/a.B/C', Buffer.of()))).message).toBe(message);
  });

  it('sends long paths', async () => {
    let asked = '';
    const { channel } = await peer((stream, path) => {
      asked = path;
      echo(stream);
    });
    const path = `/${'p'.repeat(300)}`;
    await channel.unary(path, Buffer.of());
    expect(asked).toBe(path);
  });
});

describe('received bytes', () => {
  /** A connection whose bytes are passed to the channel in chunks of one buffer, which is overwritten after each. */
  async function answered(
    replies: readonly Uint8Array[],
    sizes: readonly number[],
  ): Promise<Buffer[]> {
    const { server } = await peer((stream) => reply(stream, { pieces: replies }));
    const socket = connect({ path: String(server.address()) });
    const silent = new Duplex({
      read: () => undefined,
      write: (bytes, encoding, done) => void socket.write(bytes, encoding, done),
    });
    const channel = new GrpcChannel(silent, false);
    cleanups.push(() => socket.destroy());
    const shared = Buffer.alloc(Math.max(...sizes));
    let turn = 0;
    socket.on('data', (bytes: Buffer) => {
      for (let at = 0; at < bytes.length;) {
        const copied = bytes.copy(shared, 0, at, at + (sizes[turn++ % sizes.length] ?? 1));
        channel.receive(shared.subarray(0, copied));
        shared.fill(0xff);
        at += copied;
      }
    });
    const messages: Buffer[] = [];
    const call = channel.open('/a.B/C', (message) => messages.push(message));
    call.end();
    await call.ended;
    return messages;
  }

  it('may come in chunks of any size in one buffer', async () => {
    const messages = [0, 1, 70_000, 3, 200_000, 16_384, 65_531, 5].map((size, i) =>
      Buffer.alloc(size, `message ${i}`),
    );
    const body = Buffer.concat(messages.map((message) => framed(message)));
    for (const sizes of [[1], [8, 1], [9], [10, 16_393, 3], [65_536]]) {
      const received = await answered([body], sizes);
      expect(received.map((each, i) => each.equals(messages[i] ?? Buffer.of(1)))).toEqual(
        messages.map(() => true),
      );
    }
  });

  it('may end in the middle of a large message', async () => {
    const body = framed(Buffer.alloc(100_000)).subarray(0, 90_000);
    expect(await answered([body], [1000])).toEqual([]);
  });
});

describe('a call with many messages', () => {
  it('sends and receives messages in order', async () => {
    const { channel } = await peer((stream) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.pipe(stream);
    });
    const got: string[] = [];
    const call = channel.open('/a.B/C', (message) => got.push(message.toString()));
    for (let i = 0; i < 50; i++) {
      call.send(Buffer.from(`message ${i}`));
      if (i % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    call.end();
    await call.ended;
    expect(got).toEqual(Array.from({ length: 50 }, (_, i) => `message ${i}`));
  });

  it('can be cancelled', async () => {
    const reset = new Promise<number>((resolve, reject) => {
      peer((stream) => {
        stream.resume();
        stream.respond({ ':status': 200 });
        stream.on('close', () => resolve(stream.rstCode));
        stream.write(framed(Buffer.of(1)));
      })
        .then(async ({ channel }) => {
          const call = channel.open('/a.B/C', () => call.cancel());
          expect((await errorOf(call.ended)).code).toBe(1);
        })
        .catch(reject);
    });
    expect(await reset).toBe(8);
  });
});

describe('a connection that ends', () => {
  it('fails pending and later calls as unavailable', async () => {
    const { channel, sessions } = await peer((stream) => {
      stream.resume();
      for (const session of sessions) session.destroy();
    });
    expect((await errorOf(channel.unary('/a.B/C', Buffer.of()))).code).toBe(14);
    expect((await errorOf(channel.unary('/a.B/C', Buffer.of()))).code).toBe(14);
    expect((await errorOf(channel.open('/a.B/C', () => {}).ended)).code).toBe(14);
  });

  it('answers the accepted calls after a GOAWAY', async () => {
    const { channel, sessions } = await peer((stream) => {
      for (const session of sessions) session.goaway(0, 1);
      setTimeout(() => echo(stream), 20);
    });
    const first = channel.unary('/a.B/C', Buffer.of(5));
    const second = errorOf(channel.unary('/a.B/C', Buffer.of(6)));
    expect((await second).code).toBe(14);
    expect(await first).toEqual(Buffer.of(5));
  });

  it('is reported by close, too', async () => {
    const { channel } = await peer(() => {});
    const call = errorOf(channel.unary('/a.B/C', Buffer.of()));
    channel.close();
    expect((await call).code).toBe(14);
  });

  const settings = frameOf(FRAME.settings, 0, 0, Buffer.alloc(0));
  it.each([
    ['no HTTP/2', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a push', Buffer.concat([settings, frameOf(FRAME.pushPromise, 4, 1, number32(2))])],
    ['headers without a beginning', frameOf(FRAME.continuation, 4, 1, Buffer.of())],
    [
      'headers that break off',
      Buffer.concat([frameOf(FRAME.headers, 0, 1, Buffer.of()), settings]),
    ],
    ['headers of a table that is not', frameOf(FRAME.headers, 5, 1, Buffer.of(0xff, 0x20))],
    ['headers with a wrong number', frameOf(FRAME.headers, 5, 1, Buffer.alloc(20, 0xff))],
    ['headers that are cut off', frameOf(FRAME.headers, 5, 1, Buffer.of(0, 5, 65))],
    ['headers with a wrong code', frameOf(FRAME.headers, 5, 1, Buffer.of(0, 0x81, 0))],
    ['headers with a larger table', frameOf(FRAME.headers, 5, 1, Buffer.of(0x3f, 0xe1, 0x1f))],
  ])('closes the connection when %s arrives', async (_, bytes) => {
    const server = createSocketServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(bytes));
    });
    const path = place();
    await new Promise<void>((resolve) => void server.listen(path, resolve));
    cleanups.push(() => server.close());
    const channel = await channelTo(path);
    expect((await errorOf(channel.unary('/a.B/C', Buffer.of()))).code).toBe(14);
  });
});
