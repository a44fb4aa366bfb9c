/** What every call sends: about 200 bytes of JSON. */
export const BODY = JSON.stringify({
  content: 'The lighthouse on the northern cape was built in 1874 and has been dark since the new road came.',
  kind: 'note',
  tags: ['lighthouse', 'history', 'cape'],
  importance: 3,
});

export interface Echo {
  id: string;
  content: string;
  kind: string;
  tags: string[];
  importance: number;
}

/** The work itself: the same for all targets and next to nothing, so that only what surrounds it is measured. */
export function echo(body: Omit<Echo, 'id'>): Echo {
  return {
    id: '0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11',
    content: body.content,
    kind: body.kind,
    tags: body.tags,
    importance: body.importance,
  };
}

/** The envelope of the service's metered answers: about 300 bytes of JSON with the echo in it. */
export function enveloped(data: Echo): object {
  return {
    data,
    metadata: {
      request_id: '0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f12',
      timestamp: new Date().toISOString(),
      cost: 0.0001,
    },
  };
}
