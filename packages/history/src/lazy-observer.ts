import type { RunObserver } from '@terrane/ops';
import type { HistoryOptions } from './record/observer.ts';

/** Variant of `historyObserver` whose code is loaded when the first run begins. */
export function lazyHistoryObserver(options: HistoryOptions = {}): RunObserver {
  return {
    async begin(run) {
      const { historyObserver } = await import('./record/observer.ts');
      return await historyObserver(options).begin(run);
    },
  };
}
