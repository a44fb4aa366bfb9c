import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { type Call, ragApi, type RagApi } from '../../../generated/contract';
import type {
  GenerateWithRagRequest,
  IndexedRagDocument,
  IndexRagDocumentRequest,
  RagAnswer,
  RagCitation,
  RagDocument,
  RagDocumentEntry,
  RagDocumentList,
  RagRetrieval,
  RagStats,
} from '../../../generated/types';
import {
  CountedInput,
  type Estimate,
  type EstimatedCall,
  Estimates,
  planOf,
  Serves,
} from '../../contract/operation';
import { Conflict, Unprocessable } from '../../errors/api-errors';
import { NOTHING_USED, usageFields } from '../../ledger/money';
import { openPeriod } from '../../ledger/period';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import { TextGeneration } from '../../models/generation/text-generation';
import type {
  GeneratedText,
  PieceReader,
  TextBound,
  TextCall,
  TextOrder,
  TextTerms,
} from '../../models/generation/text-order';
import { StoredStream, TypedStream } from '../../models/generation/text-streams';
import type { ChatMessage, Engine } from '../../models/model-provider';
import type { StreamedAnswer } from '../../models/streamed-answer';
import { DocumentsRepository } from '../../retrieval/documents.repository';
import {
  type RagDocumentEntry as StoredEntry,
  RagDocumentsRepository,
} from '../../retrieval/rag-documents.repository';
import { RagIndexing } from '../../retrieval/rag-indexing';
import {
  ChunkRetrieval,
  fittedSources,
  type FoundChunk,
  retrieveOrder,
  type RetrieveOrder,
  sourcesTokensMax,
} from '../../retrieval/rag-retrieval';
import { limitMetadata, inSnakeCase } from '../../runtime/json';
import { EMBEDDED_CHAT_MODEL } from '../../text/extractive-answer';
import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import { textJobs } from '../../text/text.jobs';

const NOT_IN_SOURCES = 'NOT_IN_SOURCES';
const PROMPT = new PromptFile('answer-from-sources');

/** Neither the question nor a source can end its tag and give orders. */
function ragMessages(query: string, sources: readonly string[]): ChatMessage[] {
  const texts = Object.fromEntries(sources.map((source, index) => [`source_${index + 1}`, source]));
  return PROMPT.fill({
    choices: { language: languageOf(query, 'the language of the question') },
    material: { ...texts, question: query },
  }).messages('text');
}

function citationOf(index: number, chunk: FoundChunk, place: { start: number; end: number }): RagCitation {
  return {
    index,
    quote: chunk.text.slice(place.start, place.end),
    start: chunk.start + place.start,
    end: chunk.start + place.end,
    document_id: chunk.documentId,
    chunk_id: chunk.chunkId,
  };
}

export const NOT_FOUND = 'The documents do not answer this question.';

const AROUND = /^[\s"'“”„«»*_`[(<]*/u;
const AROUND_LENGTH_MAX = 20;

/** An answer that begins with the not-found mark is replaced. Until that is known, nothing is sent on. */
export class AnswerReader implements PieceReader {
  isFound = true;
  private held: string | null = '';

  push(piece: string): string {
    if (this.held === null) {
      return this.isFound ? piece : '';
    }
    this.held += piece;
    const begun = this.held.replace(AROUND, '');
    const mayBeMark =
      begun.length < NOT_IN_SOURCES.length
        ? NOT_IN_SOURCES.startsWith(begun) && this.held.length - begun.length <= AROUND_LENGTH_MAX
        : begun.startsWith(NOT_IN_SOURCES);
    if (!mayBeMark) {
      return this.end();
    }
    if (begun.startsWith(NOT_IN_SOURCES)) {
      this.isFound = false;
      this.held = null;
      return NOT_FOUND;
    }
    return '';
  }

  end(): string {
    const held = this.held ?? '';
    this.held = null;
    return held;
  }
}

export class RagQuestion {
  constructor(
    readonly retrieve: RetrieveOrder,
    readonly model: TextTerms,
  ) {}
}

interface CitedAnswer {
  readonly isFound: boolean;
  readonly citations: RagCitation[];
}

const NOT_CITED: CitedAnswer = { isFound: false, citations: [] };

export interface Quoted {
  readonly citations: readonly { readonly citation: RagCitation; readonly end: number }[];
}

const QUOTING: Engine = { provider: 'embedded', method: 'bm25+sentences', quality: 'basic' };

@Injectable()
export class RagAnswers {
  constructor(
    private readonly retrieval: ChunkRetrieval,
    private readonly generation: TextGeneration,
    private readonly threads: TextThreads,
    private readonly counter: TokenCounter,
  ) {}

  /** No retrieval here: callers without credit could have their documents searched free of charge. */
  async bound({ retrieve, model }: RagQuestion, signal: AbortSignal): Promise<TextBound> {
    const messages = ragMessages(retrieve.query, []);
    return this.generation.bound({ ...model, messages }, signal, sourcesTokensMax(retrieve.topK));
  }

  /** The order is null where nothing was found, so that no model is asked. */
  async prepare(accountId: string, question: RagQuestion, { signal }: Pick<TextCall, 'signal'>) {
    const { query } = question.retrieve;
    const { chunks, engine } = await this.retrieval.retrieve(accountId, question.retrieve, signal);
    const reader = new AnswerReader();
    const answerOf = (written: GeneratedText<Quoted>, ending: AbortSignal) =>
      written.detail ? quotedIn(written, written.detail) : this.cited(written, chunks, reader, ending);
    if (chunks.length === 0) {
      return { chunks, engine, order: null, answerOf };
    }
    const order: TextOrder<Quoted> = {
      ...question.model,
      messages: ragMessages(query, await fittedSources(chunks.map(headed), this.counter, signal)),
      reader,
      embedded: (stopped) => this.quoted(query, chunks, stopped),
    };
    return { chunks, engine, order, answerOf };
  }

  async generate(
    question: RagQuestion,
    call: Call<'generateWithRag'>,
    streams: boolean,
  ): Promise<RagAnswer | StreamedAnswer> {
    const { chunks, engine, order, answerOf } = await this.prepare(call.account.id, question, call);
    const start = toRagRetrieval(chunks);
    if (order === null) {
      call.setEngine(engine);
      call.meter.report(NOTHING_USED);
      const answer = toRagAnswer(chunks, UNASKED, NOT_CITED);
      const text = new StoredStream({ ...UNASKED, model: '' });
      return streams ? new TypedStream({ text, start, finish: () => answer }) : answer;
    }
    const finish = async (written: GeneratedText<Quoted>) =>
      toRagAnswer(chunks, written, await answerOf(written, call.signal));
    return streams
      ? new TypedStream({ text: await this.generation.stream(order, call), start, finish })
      : finish(await this.generation.write(order, call));
  }

  private async quoted(question: string, chunks: readonly FoundChunk[], signal: AbortSignal) {
    const passages = chunks.map(({ text, heading }) => ({ text, heading }));
    const read = [question, ...passages.map(({ text }) => text)];
    const quotes = await this.threads.run(textJobs.quoteAnswer, { question, passages }, read, signal);
    let text = '';
    const citations = quotes.map((quote, index) => {
      text += `${text === '' ? '' : ' '}${quote.text} [${index + 1}]`;
      const chunk = chunks[quote.passage] as FoundChunk;
      return { citation: citationOf(index + 1, chunk, quote), end: text.length };
    });
    return {
      text: text === '' ? NOT_FOUND : text,
      model: EMBEDDED_CHAT_MODEL,
      engine: QUOTING,
      read,
      isRefusal: text === '',
      detail: { citations },
    };
  }

  private async cited(
    { text }: GeneratedText<Quoted>,
    chunks: readonly FoundChunk[],
    { isFound }: AnswerReader,
    signal: AbortSignal,
  ): Promise<CitedAnswer> {
    const sources = chunks.map((chunk) => chunk.text);
    // Some models write thoughts or an explanation before the mark, and some write nothing.
    if (!isFound || text.trim() === '' || text.includes(NOT_IN_SOURCES)) {
      return NOT_CITED;
    }
    const job = { answer: text, sources };
    const quotes = await this.threads.run(textJobs.quoteNamedSources, job, [text, ...sources], signal);
    const citations = quotes.map(({ source, start, end }) =>
      citationOf(source + 1, chunks[source] as FoundChunk, { start, end }),
    );
    return { isFound: true, citations };
  }
}

function headed({ heading, text }: FoundChunk): string {
  return heading === null || text.includes(heading) ? text : `${heading}\n${text}`;
}

function quotedIn({ text }: GeneratedText<Quoted>, { citations }: Quoted): Promise<CitedAnswer> {
  const left = citations.filter(({ end }) => end <= text.length).map(({ citation }) => citation);
  return Promise.resolve({ isFound: citations.length > 0, citations: left });
}

type Written = Omit<GeneratedText<Quoted>, 'model' | 'detail'> & { readonly model: string | null };

function toRagAnswer(
  chunks: readonly FoundChunk[],
  written: Written,
  { isFound, citations }: CitedAnswer,
): RagAnswer {
  return {
    ...toRagRetrieval(chunks),
    text: written.text,
    answer: written.text,
    found: isFound,
    citations,
    model: written.model,
    finish_reason: written.finishReason,
    usage: usageFields(written.use),
  };
}

const UNASKED = { text: NOT_FOUND, model: null, finishReason: 'stop', use: NOTHING_USED };

function toRagRetrieval(chunks: readonly FoundChunk[]): RagRetrieval {
  const results = chunks.map(({ chunkId, documentId, ...chunk }) => ({
    chunk_id: chunkId,
    document_id: documentId,
    ...chunk,
  }));
  return { results, total: chunks.length };
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

function toRagDocumentEntry(entry: StoredEntry): RagDocumentEntry {
  return {
    ...inSnakeCase(entry, 'documentId', 'collection', 'chunks', 'tokens', 'bytes'),
    ...inSnakeCase(entry, 'language', 'metadata', 'createdAt', 'updatedAt'),
  };
}

@Serves(ragApi)
class RagController implements RagApi, OnModuleInit {
  constructor(
    private readonly documents: RagDocumentsRepository,
    private readonly uploaded: DocumentsRepository,
    private readonly indexing: RagIndexing,
    private readonly retrieval: ChunkRetrieval,
    private readonly answers: RagAnswers,
    private readonly generation: TextGeneration,
    private readonly estimates: Estimates,
    private readonly tokens: TokenCounter,
  ) {}

  onModuleInit(): void {
    this.estimates.register('indexRagDocument', (call) => this.estimateIndexing(call));
    this.estimates.register('generateWithRag', (call) => this.estimateAnswer(call));
  }

  private async estimateIndexing({ body, signal }: EstimatedCall): Promise<Estimate> {
    const { content, metadata } = body as IndexRagDocumentRequest;
    limitMetadata(metadata ?? {}, 'metadata');
    if (!LETTER_OR_DIGIT.test(content)) {
      throw new Unprocessable(
        'The content has no letter and no digit, so that nothing could be found in it.',
      );
    }
    return CountedInput.estimate(await this.tokens.count(content, signal));
  }

  private async estimateAnswer({ body, signal }: EstimatedCall): Promise<Estimate> {
    const asked = body as GenerateWithRagRequest;
    limitMetadata(asked.filter ?? {}, 'filter');
    const question = new RagQuestion(retrieveOrder(asked.query, asked), await this.generation.terms(asked));
    return { ...(await this.answers.bound(question, signal)), choices: 1, plan: question };
  }

  async indexRagDocument(call: Call<'indexRagDocument'>): Promise<IndexedRagDocument> {
    const { account, body, signal, meter } = call;
    const { tokens } = planOf(call, CountedInput);
    const { content, collection, document_id: documentId = null } = body;
    // The entry has to hold exactly what was read from the file.
    if (documentId !== null && (await this.uploaded.ownsEntry(account.id, documentId))) {
      throw new Conflict('The id is that of an uploaded document, whose entry is made by processing it.');
    }
    const order = {
      content,
      collection,
      metadata: body.metadata ?? {},
      documentId,
      tokens,
      callId: call.idempotencyId,
      allowDegraded: body.allow_degraded ?? false,
    };
    const indexed = await this.indexing.index(account.id, order, signal);
    meter.report({ inputTokens: indexed.isDeduplicated ? 0 : tokens, outputTokens: 0 });
    return {
      ...inSnakeCase(indexed, 'documentId', 'collection', 'chunks', 'tokens'),
      deduplicated: indexed.isDeduplicated,
    };
  }

  async retrieveRagChunks(call: Call<'retrieveRagChunks'>): Promise<RagRetrieval> {
    const { account, body, signal } = call;
    limitMetadata(body.filter ?? {}, 'filter');
    const { chunks, engine } = await this.retrieval.retrieve(
      account.id,
      retrieveOrder(body.query, body),
      signal,
    );
    call.setEngine(engine);
    return toRagRetrieval(chunks);
  }

  async generateWithRag(call: Call<'generateWithRag'>): Promise<RagAnswer | StreamedAnswer> {
    return this.answers.generate(planOf(call, RagQuestion), call, call.body.stream ?? false);
  }

  async getRagStats({ account }: Call<'getRagStats'>): Promise<RagStats> {
    const totals = await this.documents.totals(account.id);
    return {
      ...inSnakeCase(totals, 'documents', 'chunks', 'tokens', 'bytes'),
      ...inSnakeCase(totals, 'collections', 'oldestAt', 'newestAt'),
    };
  }

  async listRagDocuments({ account, query }: Call<'listRagDocuments'>): Promise<RagDocumentList> {
    const within = { ...query, ...openPeriod(query) };
    const where = { 'collection = $': query.collection };
    const { items, ...page } = await this.documents.list(account.id, within, where);
    return { documents: items.map(toRagDocumentEntry), ...page };
  }

  async getRagDocument({ account, params }: Call<'getRagDocument'>): Promise<RagDocument> {
    const document = await this.documents.get(account.id, params.document_id);
    return { ...toRagDocumentEntry(document), content: document.content };
  }

  async deleteRagDocument({ account, params }: Call<'deleteRagDocument'>): Promise<void> {
    const { document_id: documentId } = params;
    if (await this.uploaded.ownsEntry(account.id, documentId)) {
      await this.documents.get(account.id, documentId);
      // Without its entry the document would be ready and never found.
      throw new Conflict(
        `The entry belongs to an uploaded document; DELETE /api/documents/${documentId} deletes both.`,
      );
    }
    await this.documents.remove(account.id, documentId);
  }
}

@Module({ controllers: [RagController], providers: [RagAnswers] })
export class RagModule {}
