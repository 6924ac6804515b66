import type { LocalAnswer, LocalServer } from './host.ts';

/** Returns the response to a request; a malformed request does not end the process. */
function safeResponse(answer: LocalAnswer, url: string): ReturnType<LocalAnswer> {
  try {
    return answer(url);
  } catch {
    return { status: 400 };
  }
}

/** Serves HTTP requests on 127.0.0.1. */
export async function serveLocally(port: number, answer: LocalAnswer): Promise<LocalServer> {
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    const { status, contentType, body } = safeResponse(answer, request.url ?? '/');
    // Repeated requests use new connections, so that closing does not wait.
    response.writeHead(status, {
      connection: 'close',
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    });
    response.end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
