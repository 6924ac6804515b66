/** Joins parts of a path and removes empty ones, `.` and `..`, like Go's `path.Join`. */
export function cleanPath(...segments: readonly string[]): string {
  const parts: string[] = [];
  for (const part of segments.join('/').split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0) parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}
