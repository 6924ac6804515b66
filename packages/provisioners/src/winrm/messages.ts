// Requests of WS-Management for shells of Windows ([MS-WSMV], [MS-WSMAN]), each in an envelope of SOAP 1.2.
import { formatXmlElement } from '@terrane/host/xml';

const SHELL = 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell';
const TRANSFER = 'http://schemas.xmlsoap.org/ws/2004/09/transfer';
const NAMESPACES = {
  'xmlns:env': 'http://www.w3.org/2003/05/soap-envelope',
  'xmlns:a': 'http://schemas.xmlsoap.org/ws/2004/08/addressing',
  'xmlns:rsp': SHELL,
  'xmlns:w': 'http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd',
  'xmlns:p': 'http://schemas.microsoft.com/wbem/wsman/1/wsman.xsd',
};
const MAX_ENVELOPE_BYTES = 153_600;
const MUST = { mustUnderstand: 'true' };
const LANGUAGE = { mustUnderstand: 'false', 'xml:lang': 'en-US' };

/** Headers common to all requests of a connection. */
export interface Addressing {
  readonly url: string;
  /** the time-out for the response of the machine */
  readonly timeoutMs: number;
  /** a number for each message: a UUID */
  readonly nextId: () => string;
}

interface Parts {
  readonly action: string;
  readonly shell?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Opens a shell, in UTF-8. */
export function openShell(to: Addressing): string {
  return envelope(to, {
    action: `${TRANSFER}/Create`,
    options: { WINRS_NOPROFILE: 'FALSE', WINRS_CODEPAGE: '65001' },
    body: formatXmlElement('rsp:Shell', {}, [
      formatXmlElement('rsp:InputStreams', {}, 'stdin'),
      formatXmlElement('rsp:OutputStreams', {}, 'stdout stderr'),
    ]),
  });
}

/** Closes a shell and ends its commands. */
export function deleteShell(to: Addressing, shell: string): string {
  return envelope(to, { action: `${TRANSFER}/Delete`, shell });
}

/** Starts a command line of `cmd` in a shell. */
export function startCommand(to: Addressing, shell: string, command: string): string {
  return envelope(to, {
    action: `${SHELL}/Command`,
    shell,
    options: { WINRS_CONSOLEMODE_STDIN: 'TRUE', WINRS_SKIP_CMD_SHELL: 'FALSE' },
    body: formatXmlElement('rsp:CommandLine', {}, [formatXmlElement('rsp:Command', {}, command)]),
  });
}

/** Waits for the next output of a command. */
export function receiveOutput(to: Addressing, shell: string, command: string): string {
  return envelope(to, {
    action: `${SHELL}/Receive`,
    shell,
    body: formatXmlElement('rsp:Receive', {}, [
      formatXmlElement('rsp:DesiredStream', { CommandId: command }, 'stdout stderr'),
    ]),
  });
}

/** Ends a command, or releases the resources of an ended one. */
export function terminateCommand(to: Addressing, shell: string, command: string): string {
  return envelope(to, {
    action: `${SHELL}/Signal`,
    shell,
    body: formatXmlElement('rsp:Signal', { CommandId: command }, [
      formatXmlElement('rsp:Code', {}, `${SHELL}/signal/terminate`),
    ]),
  });
}

function envelope(to: Addressing, { action, shell, options, body }: Parts): string {
  const header = [
    formatXmlElement('a:To', {}, to.url),
    formatXmlElement('a:ReplyTo', {}, [
      formatXmlElement(
        'a:Address',
        MUST,
        'http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous',
      ),
    ]),
    formatXmlElement('w:MaxEnvelopeSize', MUST, String(MAX_ENVELOPE_BYTES)),
    formatXmlElement('w:OperationTimeout', {}, duration(to.timeoutMs)),
    formatXmlElement('a:MessageID', {}, `uuid:${to.nextId()}`),
    formatXmlElement('w:Locale', LANGUAGE),
    formatXmlElement('p:DataLocale', LANGUAGE),
    formatXmlElement('a:Action', MUST, action),
    ...(shell === undefined
      ? []
      : [
          formatXmlElement('w:SelectorSet', {}, [
            formatXmlElement('w:Selector', { Name: 'ShellId' }, shell),
          ]),
        ]),
    formatXmlElement('w:ResourceURI', MUST, `${SHELL}/cmd`),
    ...(options === undefined
      ? []
      : [
          formatXmlElement(
            'w:OptionSet',
            {},
            Object.entries(options).map(([name, value]) =>
              formatXmlElement('w:Option', { Name: name }, value),
            ),
          ),
        ]),
  ];
  return `<?xml version="1.0" encoding="utf-8"?>\n${formatXmlElement('env:Envelope', NAMESPACES, [
    formatXmlElement('env:Header', {}, header),
    formatXmlElement('env:Body', {}, body === undefined ? [] : [body]),
  ])}`;
}

/** A span of time as XML has it: `PT5M`, `PT1H30S`, `PT0.5S`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = Number((seconds - hours * 3600 - minutes * 60).toFixed(3));
  const parts = [hours > 0 && `${hours}H`, minutes > 0 && `${minutes}M`, rest > 0 && `${rest}S`];
  return `PT${parts.filter((part) => part !== false).join('') || '0S'}`;
}
