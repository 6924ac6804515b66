// Property tests repeat the same cases in CI, and try others elsewhere. `PROPERTY_SEED` sets the seed.
import fc from 'fast-check';

const seed = process.env['PROPERTY_SEED'] ?? (process.env['CI'] === 'true' ? '1' : undefined);
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
