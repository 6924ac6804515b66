import type { InitEvent } from '@terrane/ops';
import type { TaskProgress } from '../../views/task-progress.ts';

const MEGABYTE = 1024 * 1024;

/** Updates the progress of module and provider downloads. */
export function noteProgress(progress: TaskProgress, event: InitEvent): void {
  switch (event.kind) {
    case 'download':
      progress.begin(`module ${event.path}`, `module ${event.path}`, 'downloading');
      break;
    case 'module':
      progress.end(`module ${event.path}`);
      break;
    case 'providers':
      progress.clear();
      break;
    case 'provider-install': {
      const { event: inner } = event;
      if (!('provider' in inner)) break;
      const name = inner.provider.display;
      switch (inner.kind) {
        case 'reusing':
        case 'finding':
          progress.begin(name, name, 'looking for a version');
          break;
        case 'installing':
          progress.begin(name, `${name} v${inner.version}`, 'installing');
          break;
        case 'progress':
          progress.detail(name, bytesText(inner.received, inner.total));
          break;
        case 'already-installed':
        case 'from-cache':
        case 'installed':
          progress.end(name);
          break;
        case 'built-in':
      }
      break;
    }
    default:
  }
}

function bytesText(received: number, total: number | undefined): string {
  const amount = (bytes: number): string => (bytes / MEGABYTE).toFixed(1);
  return total === undefined
    ? `${amount(received)} MB`
    : `${amount(received)} of ${amount(total)} MB`;
}
