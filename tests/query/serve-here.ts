// A provider served within this process, as in the debug mode of plugins.
import { nodeHost } from '@terrane/host';
import type { GivenProvider } from '@terrane/ops';
import { serveIn } from '@terrane/plugin/server';
import type { Provider } from '@terrane/provider';

/** The reattach configuration of a provider, and a function that stops it. */
export interface ServedHere {
  readonly provider: GivenProvider;
  readonly end: () => Promise<void>;
}

/** Serves a provider until it is ended. */
export async function serveHere(provider: () => Provider, address: string): Promise<ServedHere> {
  let interrupt: (signal: 'SIGINT') => void = () => undefined;
  let ended: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (ended = resolve));
  const reattach = await new Promise<string>((resolve) => {
    const take = (stream: string, text: string): void => {
      const match = /\tTF_REATTACH_PROVIDERS='(.*)'/.exec(text)?.[1];
      if (stream === 'stdout' && match !== undefined) resolve(match);
    };
    const process = {
      args: ['-debug'],
      executable: '/node',
      parentPid: () => 1,
      write: take,
      divert: () => undefined,
      onSignal: (handle: typeof interrupt) => void (interrupt = handle),
      onUncaught: () => undefined,
      exit: () => ended(),
    };
    void serveIn(provider, { address }, { process, host: nodeHost() });
  });
  return {
    provider: { kind: 'running', reattach },
    async end() {
      interrupt('SIGINT');
      await end;
    },
  };
}
