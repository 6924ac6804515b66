#!/usr/bin/env node
// A web server on loopback that keeps objects, for providers of REST services.
// A program of its own, so that commands that a test waits for can ask it too. It prints its port, and ends with its input.
import { createServer } from 'node:http';

/**
 * JSON objects. `POST /objects` stores an object under its `id`, or under a number if it has none; `GET`, `PUT`, `PATCH`
 * and `DELETE /objects/ID` read, replace, change and remove it. Any other collection works alike. An object whose `fails`
 * names a method is answered with status 500 to that method.
 */
function objects() {
  const stored = new Map();
  let numbers = 0;
  return (method, path, body = {}) => {
    const found = stored.get(path);
    if (body.fails === method || found?.fails === method) {
      return { status: 500, body: { error: `${method} fails` } };
    }
    if (method === 'POST') {
      const id = String(body.id ?? ++numbers);
      const made = { ...body, id, revision: 1 };
      stored.set(`${path}/${id}`, made);
      return { status: 201, body: made };
    }
    if (found === undefined) return { status: 404, body: { error: 'There is no such object' } };
    if (method === 'DELETE') {
      stored.delete(path);
      return { status: 204 };
    }
    if (method !== 'PUT' && method !== 'PATCH') return { status: 200, body: found };
    const kept = method === 'PATCH' ? found : {};
    const changed = { ...kept, ...body, id: found.id, revision: found.revision + 1 };
    stored.set(path, changed);
    return { status: 200, body: changed };
  };
}

const handle = objects();
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    // Values that differ from run to run must not get into a state.
    response.sendDate = false;
    const text = Buffer.concat(chunks).toString('utf8');
    const [path] = request.url.split('?');
    const reply = handle(request.method, path, text === '' ? undefined : JSON.parse(text));
    response.writeHead(reply.status, { 'Content-Type': 'application/json' });
    response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit()).resume();
