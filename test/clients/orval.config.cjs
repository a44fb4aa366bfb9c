/** Orval is configured by a file alone. Its addresses are relative; the tour's own fetch knows where the service is. */
module.exports = {
  service: {
    input: { target: '../../generated/openapi.json' },
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      mode: 'single',
      override: { mutator: { path: 'tours/orval-fetch.ts', name: 'fetchFromService' } },
    },
  },
};
