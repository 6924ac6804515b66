import { URI } from 'vscode-uri';

/**
 * Maps document URIs to absolute paths with forward slashes and back. URIs that the client used are returned as it
 * wrote them; other paths get the scheme and authority of the workspace.
 */
export class Uris {
  readonly #known = new Map<string, string>();
  #scheme = 'file';
  #authority = '';

  /** Sets the scheme and authority for paths of files that the client did not name. */
  setBase(uri: string): void {
    const { scheme, authority } = URI.parse(uri);
    this.#scheme = scheme === '' ? 'file' : scheme;
    this.#authority = authority;
  }

  pathOf(uri: string): string {
    const path = plainPath(uri);
    this.#known.set(path, uri);
    return path;
  }

  /** Returns the path without recording the URI. */
  folderPath(uri: string): string {
    const path = plainPath(uri);
    return path.length > 1 ? path.replace(/\/+$/, '') : path;
  }

  uriOf(path: string): string {
    const existing = this.#known.get(path);
    if (existing !== undefined) return existing;
    const scheme = this.#scheme;
    const authority = this.#authority;
    return URI.from({
      scheme,
      authority,
      path: path.startsWith('/') ? path : `/${path}`,
    }).toString();
  }

  forget(path: string): void {
    this.#known.delete(path);
  }
}

function plainPath(uri: string): string {
  const { path } = URI.parse(uri);
  // On Windows, drive letters are lower case in some clients' URIs and upper case in others'.
  const drive = /^\/([A-Za-z]):/.exec(path);
  return drive === null ? path : `${(drive[1] ?? '').toLowerCase()}${path.slice(2)}`;
}
