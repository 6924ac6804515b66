import { serve } from '@terrane/plugin/server';
import { ADDRESS, testProvider } from '../test-provider/provider.ts';

void serve(testProvider, { address: ADDRESS });
