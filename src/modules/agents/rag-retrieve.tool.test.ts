import type { ChunkRetrieval } from '../../retrieval/rag-retrieval';
import { AgentTools, ragRetrieveTool } from './agent-tools';

describe('rag.retrieve', () => {
  it('tells a model that names a collection which Postgres takes for no text', async () => {
    const retrieve = jest.fn(() => Promise.resolve({ chunks: [] }));
    const tools = new AgentTools();
    tools.register(ragRetrieveTool({ retrieve } as unknown as ChunkRetrieval));
    const call = {
      accountId: 'a',
      namespace: 'default',
      allowDegraded: false,
      signal: new AbortController().signal,
    };
    const asked = { name: 'rag_retrieve', arguments: JSON.stringify({ query: 'hours', collection: 'a\0b' }) };
    const told = await tools.run(['rag.retrieve'], asked, call);
    expect(told).toEqual({ text: expect.stringMatching('NUL'), isError: true });
    expect(retrieve).not.toHaveBeenCalled();
  });
});
