/** A connection to a machine that runs commands and uploads files. */
export interface Communicator {
  /** The time limit for connecting, in milliseconds. */
  readonly timeoutMs: number;
  /** A path for a script on the machine; another one each time unless the configuration fixes it. */
  scriptPath(): string;
  /** Connects and logs in, and reports progress to `output` if present. */
  connect(signal: AbortSignal, output?: (text: string) => void): Promise<void>;
  /** Closes the connection and ends everything that runs over it. */
  disconnect(): void;
  /** Runs a command and passes its output on by lines. Throws with Terraform's text if it fails. */
  run(command: string, output: (line: string) => void): Promise<void>;
  /** Uploads a file to `path`. */
  upload(path: string, data: Uint8Array): Promise<void>;
  /** Uploads an executable script to `path`. */
  uploadScript(path: string, script: Uint8Array): Promise<void>;
  /** Uploads a directory to `destination`, with the semantics of the connection type. */
  uploadDirectory(destination: string, source: string): Promise<void>;
}
