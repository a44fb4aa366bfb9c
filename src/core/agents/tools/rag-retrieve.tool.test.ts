import type { RagRetrieval } from '../../knowledge/rag/rag-retrieval';
import { AgentTools } from './agent-tools';
import { RagRetrieveTool } from './rag-retrieve.tool';

describe('rag.retrieve', () => {
  it('tells a model that names a collection which Postgres takes for no text', async () => {
    const retrieve = jest.fn(() => Promise.resolve({ chunks: [] }));
    const tools = new AgentTools();
    tools.register(new RagRetrieveTool({ retrieve } as unknown as RagRetrieval));
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
