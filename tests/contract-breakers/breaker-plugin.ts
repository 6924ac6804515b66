// The plugin's main file. `BREAK_CALL` names a call at which the process ends, or which it never answers.
import { appendFileSync, writeSync } from 'node:fs';
import { Server } from '@grpc/grpc-js';
import { encodeMsgpack, type Value } from '@terrane/cty';
import type { Provider } from '@terrane/provider';
import { serve } from '@terrane/plugin/server';
import { breakerProvider } from './breaker-provider.ts';

const { BREAK_CALL: call, BREAK_HOW: how, BREAK_MARKER: marker } = process.env;

/** Answers whose values are not what the schema says cannot be written by the server: their bytes go in here. */
const instead = new Map<string, Uint8Array>();

const VALUES = {
  planResourceChange: ['PlanResourceChange', 'plannedState', 'planned'],
  applyResourceChange: ['ApplyResourceChange', 'newState', 'state'],
  readResource: ['ReadResource', 'newState', 'state'],
  readDataSource: ['ReadDataSource', 'state', 'state'],
} as const;

type Unary = (
  call: { readonly request: object },
  done: (error: unknown, answer?: object) => void,
) => void;

const addService = Server.prototype.addService;
Server.prototype.addService = function (this: Server, definition, implementation) {
  const wrapped: Record<string, unknown> = {};
  for (const [key, handler] of Object.entries(implementation)) {
    const path = definition[key]?.path ?? '';
    const name = path.slice(path.lastIndexOf('/') + 1);
    // Requests with streamed responses have their request as first argument, too.
    wrapped[key] = (asked: { readonly request: object }, done: Parameters<Unary>[1]) => {
      if (name === call && isFragile(asked.request)) {
        if (marker !== undefined) appendFileSync(marker, `${name} ${process.pid}\n`);
        if (how === 'kill') process.kill(process.pid, 'SIGKILL');
        if (how === 'exit') process.exit(3);
        if (how === 'crash') {
          // Past Node's streams, as a process writes that dies of a fault in its foundations.
          writeSync(2, 'panic: the provider is ill\n\ngoroutine 1 [running]:\n');
          process.exit(2);
        }
        return; // never answered
      }
      // It is called as it was meant to be.
      const plain = handler as Unary;
      plain(asked, (error, answer) => {
        const bytes = instead.get(name);
        instead.delete(name);
        const field = Object.values(VALUES).find(([each]) => each === name)?.[1];
        const tampered =
          bytes === undefined || field === undefined
            ? answer
            : { ...answer, [field]: { msgpack: bytes } };
        done(error, tampered);
      });
    };
  }
  return addService.call(this, definition, wrapped as typeof implementation);
};

/** Calls about one type are only broken for the one that is made for it. */
function isFragile(request: object): boolean {
  const { typeName, targetTypeName, name } = request as Readonly<Record<string, unknown>>;
  const type = typeName ?? targetTypeName ?? name;
  return type === undefined || type === 'breaker_fragile' || type === 'fragile';
}

/** The provider as the server can serve it: what does not fit the schema is put in afterwards. */
function servable(provider: Provider): Provider {
  return new Proxy(provider, {
    get(target, name: keyof Provider) {
      const member = target[name];
      if (typeof member !== 'function') return member;
      if (!Object.hasOwn(VALUES, name)) return member.bind(target);
      const [wire, , field] = VALUES[name as keyof typeof VALUES];
      return async (request: { readonly prior?: Value; readonly config?: Value }) => {
        // The answer is what the method of this name gives.
        const answer = (await (member as (r: object) => unknown).call(target, request)) as Record<
          string,
          Value
        >;
        const value = answer[field];
        const expected = (request.prior ?? request.config)?.type;
        if (value === undefined || expected === undefined || value.type === expected) return answer;
        instead.set(wire, encodeMsgpack(value, value.type));
        return { ...answer, [field]: request.prior ?? request.config };
      };
    },
  });
}

await serve(() => servable(breakerProvider()), { address: 'registry.terraform.io/acme/breaker' });
