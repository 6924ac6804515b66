// A sample of `npm run test:locks`.
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { contend } from './contend.ts';
import { LOCK_BACKENDS } from './lock-backends.ts';

const SAMPLE = { processes: 3, attempts: 9 };

for (const backend of LOCK_BACKENDS) {
  it.runIf(backend.isHere)(
    `never two at once: ${backend.name}`,
    async () => {
      const { problems } = await contend(backend, SAMPLE);
      expect(problems).toEqual([]);
    },
    600_000,
  );
}

describe('a lock that is none', () => {
  it('is detected', async () => {
    // Grants every lock, and keeps the state as http does.
    let state = '';
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        if (request.method === 'POST') state = body;
        if (request.method === 'GET' && state === '') response.statusCode = 204;
        response.end(request.method === 'GET' ? state : '');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const url = `http://127.0.0.1:${address.port}`;
    const { problems } = await contend(
      {
        name: 'none',
        isHere: true,
        start: () =>
          Promise.resolve({
            target: {
              kind: 'backend',
              type: 'http',
              config: { address: url, lock_address: url, unlock_address: url },
              env: {},
            },
            another: () => Promise.reject(new Error('there is one state')),
            async stop() {
              server.closeAllConnections();
              await new Promise((resolve) => server.close(resolve));
            },
          }),
      },
      // Ends when two of them meet.
      { processes: 4, attempts: 4000 },
    );
    expect(problems.length).toBeGreaterThan(0);
  });
});
