// A server that speaks WS-Management for shells on a free port of this machine and keeps what it was asked.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type Account, challengeMessage, isProof, messageKind } from './ntlm-login.ts';
import { type Told, readEnvelope } from './read-envelope.ts';
import { pathsIn, scriptIn, type Step, WindowsMachine } from './windows-machine.ts';

const SHELL = 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell';
const SOAP = 'application/soap+xml;charset=UTF-8';

/** From how many characters on a text is recorded in short. */
const LONG = 200;

/** The account of tests. Its password has marks that could be misread on the way. */
export const PASSWORD = 'P@ss:wörd<1>';
export const ACCOUNT: Account = { name: 'Builder', hash: '9199b5e1a007d7acba084b7000bb618a' };

/** The supported operations. */
export type Action = 'Create' | 'Command' | 'Receive' | 'Signal' | 'Delete';

/** A fault instead of a response. */
export type Trouble =
  | { readonly kind: 'fault'; readonly code: string; readonly reason: string }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly type: string;
      readonly body: string;
    }
  | { readonly kind: 'close' }
  | { readonly kind: 'never' };

/** Options of a server. */
export interface ServerOptions {
  /** how one logs in: a password in each request, or NTLM under one of its two names */
  readonly login?: 'Basic' | 'Negotiate' | 'NTLM';
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly machine?: { readonly isFull: boolean };
  /** what goes wrong with a request, by what is asked and how many of that kind there were before */
  readonly trouble?: (action: Action, before: number) => Trouble | undefined;
}

interface Running {
  readonly shell: string;
  steps: Step[];
  isEnded: boolean;
  wake: () => void;
}

/** One request in a form that does not differ from run to run. */
export type Asked = Readonly<Record<string, string>>;

export class WinrmServer {
  readonly machine: WindowsMachine;
  /** all requests that were answered, with names of shells and commands by their numbers */
  readonly asked: Asked[] = [];
  /** all `Authorization` headers by their first word, with what became of them */
  readonly logins: string[] = [];
  readonly #options: ServerOptions;
  readonly #shells = new Set<string>();
  readonly #commands = new Map<string, Running>();
  readonly #counts = new Map<Action, number>();
  readonly #loggedIn = new WeakSet<Socket>();
  readonly #sockets = new Set<Socket>();
  #names = 0;
  port = 0;
  close: () => Promise<void> = () => Promise.resolve();

  private constructor(options: ServerOptions) {
    this.#options = options;
    this.machine = new WindowsMachine(options.machine);
  }

  static async start(options: ServerOptions = {}): Promise<WinrmServer> {
    const self = new WinrmServer(options);
    const hear = (request: IncomingMessage, response: ServerResponse): void => {
      void read(request).then(async (body) => await self.#answer(request, body, response));
    };
    const server = options.tls === undefined ? createServer(hear) : createSecure(options.tls, hear);
    server.on('connection', (socket: Socket) => {
      self.#sockets.add(socket);
      socket.once('close', () => self.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address.
    self.port = (server.address() as AddressInfo).port;
    self.close = async () => {
      for (const socket of self.#sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    return self;
  }

  /** Shells that are open, and commands that run. */
  get open(): { readonly shells: number; readonly commands: number } {
    const commands = [...this.#commands.values()].filter(({ isEnded }) => !isEnded).length;
    return { shells: this.#shells.size, commands };
  }

  async #answer(request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    if (!this.#mayIn(request, response)) return;
    const elements = readEnvelope(body);
    const action = /(\w+)$/.exec(textOf(elements, 'Action'))?.[1] as Action;
    const before = this.#counts.get(action) ?? 0;
    this.#counts.set(action, before + 1);
    const trouble = this.#options.trouble?.(action, before);
    this.asked.push(asked(elements, request, this.port));
    if (trouble !== undefined) return this.#troubled(trouble, request, response);
    const answer = await this.#tell(action, elements);
    if (answer === undefined) request.socket.destroy();
    else response.writeHead(answer.status, { 'content-type': SOAP }).end(answer.body);
  }

  #troubled(trouble: Trouble, request: IncomingMessage, response: ServerResponse): void {
    switch (trouble.kind) {
      case 'fault': {
        const { status, body } = fault(trouble.code, 's:Sender', trouble.reason);
        response.writeHead(status, { 'content-type': SOAP }).end(body);
        return;
      }
      case 'status':
        response.writeHead(trouble.status, { 'content-type': trouble.type }).end(trouble.body);
        return;
      case 'close':
        request.socket.destroy();
        return;
      case 'never':
    }
  }

  async #tell(
    action: Action,
    elements: readonly Told[],
  ): Promise<{ status: number; body: string } | undefined> {
    const shell = textOf(elements, 'Selector');
    if (action !== 'Create' && !this.#shells.has(shell)) {
      return fault('2150858843', 'w:InvalidSelectors', 'The shell was not found on the server.');
    }
    switch (action) {
      case 'Create': {
        const name = `SHELL-${++this.#names}`;
        this.#shells.add(name);
        return answer(
          `<x:ResourceCreated><a:ReferenceParameters><w:SelectorSet><w:Selector Name="ShellId">${name}</w:Selector></w:SelectorSet></a:ReferenceParameters></x:ResourceCreated>`,
        );
      }
      case 'Command': {
        const name = `COMMAND-${++this.#names}`;
        const steps = this.machine.run(textOf(elements, 'Command'));
        this.#commands.set(name, { shell, steps, isEnded: false, wake: () => {} });
        return answer(
          `<rsp:CommandResponse><rsp:CommandId>${name}</rsp:CommandId></rsp:CommandResponse>`,
        );
      }
      case 'Receive':
        return await this.#receive(commandIn(elements));
      case 'Signal':
        this.#end(commandIn(elements));
        return answer('<rsp:SignalResponse/>');
      case 'Delete':
        this.#shells.delete(shell);
        for (const [name, command] of this.#commands) if (command.shell === shell) this.#end(name);
        return answer('');
    }
  }

  #end(name: string): void {
    const command = this.#commands.get(name);
    if (command === undefined) return;
    command.isEnded = true;
    command.wake();
  }

  async #receive(name: string): Promise<{ status: number; body: string } | undefined> {
    const command = this.#commands.get(name);
    const step = command?.steps.shift();
    if (command === undefined || step === undefined) {
      return fault('2150858752', 'w:InvalidSelectors', 'The command was not found.');
    }
    const state = (what: string, inner = ''): string =>
      `<rsp:CommandState CommandId="${name}" State="${SHELL}/CommandState/${what}">${inner}</rsp:CommandState>`;
    switch (step.kind) {
      case 'say': {
        const text = step.data.toString('base64');
        const piece = `<rsp:Stream Name="${step.stream}" CommandId="${name}">${text}</rsp:Stream>`;
        return answer(`<rsp:ReceiveResponse>${piece}${state('Running')}</rsp:ReceiveResponse>`);
      }
      case 'silence':
        return fault(
          '2150858793',
          'w:TimedOut',
          'The WS-Management service cannot complete the operation within the time specified in OperationTimeout.',
        );
      case 'hang':
        command.steps.unshift(step);
        await new Promise<void>((resolve) => (command.wake = resolve));
        return fault('995', 'w:OperationAborted', 'The I/O operation has been aborted.');
      case 'break':
        return undefined;
      case 'exit': {
        command.isEnded = true;
        const code = `<rsp:ExitCode>${step.code}</rsp:ExitCode>`;
        const ends = ['stdout', 'stderr'].map(
          (stream) => `<rsp:Stream Name="${stream}" CommandId="${name}" End="true"/>`,
        );
        return answer(
          `<rsp:ReceiveResponse>${ends.join('')}${state('Done', code)}</rsp:ReceiveResponse>`,
        );
      }
    }
  }

  /** Returns the response for a request without authentication; undefined if it is authenticated. */
  #mayIn(request: IncomingMessage, response: ServerResponse): boolean {
    const { login = 'Basic' } = this.#options;
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    const message = Buffer.from(token, 'base64');
    const refuse = (offer: string): false => {
      response.writeHead(401, { 'www-authenticate': offer }).end();
      return false;
    };
    if (login === 'Basic') {
      const secret = Buffer.from(`${ACCOUNT.name}:${PASSWORD}`);
      const isRight = scheme === 'Basic' && message.equals(secret);
      this.#note(`${scheme === '' ? 'none' : scheme} ${isRight ? 'right' : 'wrong'}`);
      return isRight || refuse('Basic realm="WSMAN"');
    }
    if (scheme === '' && this.#loggedIn.has(request.socket)) return true;
    if (scheme === '') {
      this.#note('none');
      return refuse(login);
    }
    const kind = scheme === login ? messageKind(message) : 0;
    if (kind === 1) {
      this.#note(`${scheme} begins`);
      return refuse(`${login} ${challengeMessage().toString('base64')}`);
    }
    const isRight = kind === 3 && isProof(message, ACCOUNT);
    this.#note(`${scheme} ${isRight ? 'proves it' : 'does not prove it'}`);
    if (isRight) this.#loggedIn.add(request.socket);
    return isRight || refuse(login);
  }

  #note(login: string): void {
    this.logins.push(login);
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  // With no encoding set, the chunks are bytes.
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function textOf(elements: readonly Told[], name: string): string {
  return elements.find((element) => element.name === name)?.text.trim() ?? '';
}

function commandIn(elements: readonly Told[]): string {
  return elements.map(({ attributes }) => attributes['CommandId']).find(Boolean) ?? '';
}

/** All that a request says, without what differs from run to run. */
function asked(elements: readonly Told[], request: IncomingMessage, port: number): Asked {
  const fields = elements.slice(1).map(({ name, attributes, text }) => [
    attributes['Name'] === undefined ? name : `${name} ${attributes['Name']}`,
    [...Object.entries(attributes).filter(([key]) => key !== 'Name'), text.trim()]
      .map((part) => (typeof part === 'string' ? part : part.join('=')))
      .filter((part) => part !== '')
      .join(' '),
  ]);
  const steady = (text: string): string =>
    steadyCommand(text)
      .replaceAll(`:${port}/`, ':PORT/')
      .replaceAll(/uuid:[0-9a-f-]{36}/g, 'uuid:ID')
      .replaceAll(/\b(SHELL|COMMAND)-\d+/g, '$1');
  return {
    http: `${request.method} ${request.url} ${request.headers['content-type']}`,
    ...Object.fromEntries(
      fields.flatMap(([name = '', text = '']) => (text === '' ? [] : [[name, steady(text)]])),
    ),
  };
}

/** A command line; of a script of PowerShell what it does to which files. */
function steadyCommand(line: string): string {
  const script = scriptIn(line);
  const text =
    script === undefined
      ? line
      : `powershell ${['remove', 'restore'][pathsIn(script).length - 1] ?? script} ${pathsIn(script)
          .map((path) => path.replaceAll(/^'|'$/g, ''))
          .join(' ')}`;
  return inShort(steadyNames(text));
}

/** A text without what is random in names of files. */
export function steadyNames(text: string): string {
  return text
    .replaceAll(/(?:winrmcp|terrane)-[0-9a-f-]{36}\.tmp/g, 'TEMPORARY')
    .replaceAll(/terraform_\d+/g, 'terraform_RAND');
}

/** A text; of a long one how long it is, with a digest of it. */
export function inShort(text: string): string {
  if (text.length <= LONG) return text;
  return `${text.length} characters ${createHash('sha256').update(text).digest('hex')}`;
}

function answer(body: string): { status: number; body: string } {
  return { status: 200, body: envelope(body) };
}

function fault(code: string, subcode: string, reason: string): { status: number; body: string } {
  return {
    status: 500,
    body: envelope(
      `<s:Fault><s:Code><s:Value>s:Receiver</s:Value><s:Subcode><s:Value>${subcode}</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang="en-US">${reason}</s:Text></s:Reason><s:Detail><f:WSManFault xmlns:f="http://schemas.microsoft.com/wbem/wsman/1/wsmanfault" Code="${code}" Machine="winbox"><f:Message>${reason}</f:Message></f:WSManFault></s:Detail></s:Fault>`,
    ),
  };
}

function envelope(body: string): string {
  return `<s:Envelope xml:lang="en-US" xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:x="http://schemas.xmlsoap.org/ws/2004/09/transfer" xmlns:w="http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd" xmlns:rsp="${SHELL}" xmlns:p="http://schemas.microsoft.com/wbem/wsman/1/wsman.xsd"><s:Header><a:Action>answer</a:Action></s:Header><s:Body>${body}</s:Body></s:Envelope>`;
}
