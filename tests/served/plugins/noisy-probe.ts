import './noise.ts';
import { serve } from '@terrane/plugin/server';
import { ADDRESS, testProvider } from '../test-provider/provider.ts';

console.log('and more noise');
void serve(testProvider, { address: ADDRESS });
