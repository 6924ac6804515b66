import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import release from '../../release.json' with { type: 'json' };
import sidebar from './src/content/sidebar.json' with { type: 'json' };

export default defineConfig({
  site: release.homepage,
  outDir: '../../.build/site',
  cacheDir: '../../.build/site-cache',
  telemetry: false,
  // Images are plain SVG; nothing has to be converted.
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  integrations: [
    starlight({
      title: 'Terrane',
      description: 'Plans and applies Terraform and OpenTofu configurations.',
      favicon: '/icon.svg',
      customCss: ['./src/styles/site.css'],
      sidebar,
      pagination: true,
      credits: false,
    }),
  ],
});
