import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Call } from '../../../generated/contract';
import type {
  AnalyzeInputsRequest,
  OmmAnalysis,
  OmmAnalyzedInput,
  OmmDocumentFacts,
  OmmImageFacts,
  OmmTable,
  OmmTarget,
  OmmTextFacts,
  OmmTransformed,
  TransformInputRequest,
} from '../../../generated/types';
import { type CallContext, Estimates, type Meter } from '../../contract/operation';
import { Unprocessable } from '../../errors/api-errors';
import { withRefusals } from '../../files/file-errors';
import type { ImageFacts, ReadFile } from '../../files/file-jobs';
import {
  FILE_KINDS,
  type FileKind,
  type ImageKind,
  isImageKind,
  type WrittenKind,
} from '../../files/sniff-file-kind';
import { type FileOrder, FileReaders } from '../../files/file-readers';
import { chargedText } from '../../models/generation/typed-answers';
import { InputFiles } from '../../models/multimodal/input-files';
import { type InputType, namesOf, type ReadInput, type ReceivedInput } from '../../models/multimodal/inputs';
import { usageFields } from '../../ledger/money';
import { inSnakeCase } from '../../runtime/json';
import type { TextStatistics } from '../../text/text-statistics';
import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import { OmmEstimates } from './model-operations';
import { SCANNED_PAGES, shownEntities } from './processing';
import { textJobs } from '../../text/text.jobs';

const TABLES_MAX = 20;
const ROWS_MAX = 100;
/** Of a document's tables together, in UTF-16 units; further rows are left out. */
const CELLS_LENGTH_MAX = 200_000;

function textMeasures(measured: TextStatistics): Pick<OmmTextFacts, 'statistics' | 'readability'> {
  return {
    statistics: {
      ...inSnakeCase(measured, 'characters', 'words', 'sentences', 'paragraphs'),
      ...inSnakeCase(measured, 'averageSentenceWords', 'averageWordSyllables', 'readingTimeSeconds'),
    },
    readability: inSnakeCase(measured, 'fleschReadingEase', 'fleschKincaidGrade', 'readingLevel'),
  };
}

function imageFacts({ exif, ...facts }: ImageFacts): OmmImageFacts {
  return {
    ...inSnakeCase(facts, 'width', 'height', 'format', 'hasAlpha', 'channels', 'dominantColor'),
    ...inSnakeCase(facts, 'brightness', 'sharpness', 'frames'),
    exif: exif && inSnakeCase(exif, 'orientation', 'densityDpi', 'takenAt', 'cameraMake', 'cameraModel'),
  };
}

function documentFacts({ pages, title, tables, isCut }: ReadFile): OmmDocumentFacts {
  const shown: OmmTable[] = [];
  let lengthLeft = CELLS_LENGTH_MAX;
  for (const { header, rows } of tables.slice(0, TABLES_MAX)) {
    const fitting = [header, ...rows.slice(0, ROWS_MAX)].filter((row) => {
      lengthLeft -= row.reduce((sum, cell) => sum + cell.length, row.length);
      return lengthLeft >= 0;
    });
    if (fitting.length === 0) {
      break;
    }
    const [first = [], ...others] = fitting;
    shown.push({ header: first, rows: others, rows_total: rows.length });
  }
  return { pages, title, tables: shown, tables_total: tables.length, truncated: isCut };
}

export const IMAGE_TARGETS: readonly OmmTarget[] = ['png', 'jpeg', 'webp'];
const TEXTS_OF_PICTURES: readonly OmmTarget[] = ['text', 'markdown'];

const READ_BY_A_MODEL = 'POST /api/omm/process with the task ocr has a model read pictures.';

function isPicture(to: OmmTarget): to is ImageKind {
  return IMAGE_TARGETS.includes(to);
}

function judgeTransformation(
  { to, resize, crop, quality }: TransformInputRequest,
  type: InputType | null,
): void {
  if (!isPicture(to) && (resize ?? crop ?? quality) !== undefined) {
    throw new Unprocessable('Only a picture is resized, cropped or given a quality.');
  }
  if (resize && resize.width === undefined && resize.height === undefined) {
    throw new Unprocessable('resize: give a width or a height.');
  }
  if (to === 'png' && quality !== undefined) {
    throw new Unprocessable('quality: a PNG has none.');
  }
  if (to === 'audio') {
    throw new Unprocessable('Nothing here makes sounds, with a model or without.');
  }
  if (type !== null && type !== 'image' && isPicture(to)) {
    throw new Unprocessable(`A text does not become ${to}: nothing here draws, with a model or without.`);
  }
  if (type === 'image' && !isPicture(to)) {
    const hint = TEXTS_OF_PICTURES.includes(to) ? ` ${READ_BY_A_MODEL}` : '';
    throw new Unprocessable(`A picture does not become ${to}.${hint}`);
  }
}

const CONTENT_LENGTH_MAX = 8 * 1024 * 1024;
const NAMES = ['input'];

export const WRITTEN_KINDS: Partial<Record<OmmTarget, WrittenKind>> = {
  text: 'txt',
  markdown: 'md',
  html: 'html',
  docx: 'docx',
  pdf: 'pdf',
};

interface Made {
  readonly kind: FileKind;
  readonly bytes: Buffer;
  readonly width: number | null;
  readonly height: number | null;
  readonly read: string;
  readonly isCut: boolean;
}

type RuleCall = Pick<CallContext, 'signal' | 'setEngine'> & { readonly meter: Meter };

@Injectable()
export class RuleOperations implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly bounds: OmmEstimates,
    private readonly files: InputFiles,
    private readonly readers: FileReaders,
    private readonly threads: TextThreads,
    private readonly counter: TokenCounter,
  ) {}

  onModuleInit(): void {
    this.estimates.register('analyzeInputs', ({ body, signal }) => {
      return this.bounds.estimate(body as AnalyzeInputsRequest, { isForRules: true }, signal);
    });
    this.estimates.register('transformInput', ({ body, signal }) => {
      const request = body as TransformInputRequest;
      const { input, max_input_tokens } = request;
      judgeTransformation(request, input.type === 'url' ? null : input.type);
      const asked = { inputs: [input], max_input_tokens, max_tokens: 0 };
      return this.bounds.estimate(asked, { names: NAMES, isForRules: true }, signal);
    });
  }

  async analyze(call: Call<'analyzeInputs'>): Promise<OmmAnalysis> {
    const { body, signal } = call;
    return this.files.receive(body.inputs, namesOf(body.inputs), call, async (received) => {
      const read = await this.bounds.read(received, body.max_input_tokens, signal);
      const results: OmmAnalyzedInput[] = [];
      for (const input of read) {
        results.push(await this.facts(input, signal));
      }
      const texts = read.map(({ file }) => file?.text ?? '');
      return { results, ...(await this.reportRule(call, 'analysis', texts, chargedText(results))) };
    });
  }

  private async reportRule(call: RuleCall, method: string, read: readonly string[], written: string) {
    const { meter, signal } = call;
    const used = meter.report({
      inputTokens: Math.min(await this.counter.countAll(read, signal), meter.inputTokens),
      outputTokens: Math.min(await this.counter.count(written, signal), meter.outputTokensMax),
    });
    call.setEngine({ provider: 'embedded', method, quality: 'basic' });
    return { model: `embedded-${method}-1`, usage: usageFields(used) };
  }

  private async facts(input: ReadInput, signal: AbortSignal): Promise<OmmAnalyzedInput> {
    const { accountId, index, name, type, kind, bytes, file } = input;
    const about = { index, type, media_type: FILE_KINDS[kind].mediaType, size_bytes: bytes.length };
    if (isImageKind(kind)) {
      const order = { accountId, signal };
      const facts = await withRefusals(() => this.readers.image(bytes, kind, order), name);
      return { ...about, text: null, image: imageFacts(facts), document: null };
    }
    const text = file?.text ?? '';
    return {
      ...about,
      text: /[\p{L}\p{N}]/u.test(text) ? await this.textFacts(text, signal) : null,
      image: null,
      document: type === 'document' && file ? documentFacts(file) : null,
    };
  }

  private async textFacts(text: string, signal: AbortSignal): Promise<OmmTextFacts> {
    const texts = [text];
    return {
      language: await this.threads.run(textJobs.findLanguage, text, texts, signal),
      ...textMeasures(await this.threads.run(textJobs.analyzeStatistics, text, texts, signal)),
      entities: shownEntities(await this.threads.run(textJobs.findEntities, text, texts, signal)),
    };
  }

  async transform(call: Call<'transformInput'>): Promise<OmmTransformed> {
    const { body, signal } = call;
    return this.files.receive([body.input], NAMES, call, async (inputs) => {
      const received = inputs[0] as ReceivedInput;
      judgeTransformation(body, received.type);
      const made = await this.made(body, received, signal);
      const { mediaType, family } = FILE_KINDS[made.kind];
      const encoding = family === 'text' ? 'utf-8' : 'base64';
      const content = made.bytes.toString(encoding);
      if (content.length > CONTENT_LENGTH_MAX) {
        throw new Unprocessable('The result has more than 8 MiB, in base64 where it is no text.');
      }
      return {
        from: FILE_KINDS[received.kind].mediaType,
        to: body.to,
        media_type: mediaType,
        encoding,
        content,
        size_bytes: made.bytes.length,
        checksum: createHash('sha256').update(made.bytes).digest('hex'),
        width: made.width,
        height: made.height,
        truncated: made.isCut,
        ...(await this.reportRule(call, 'conversion', [made.read], '')),
      };
    });
  }

  private async made(
    body: TransformInputRequest,
    received: ReceivedInput,
    signal: AbortSignal,
  ): Promise<Made> {
    if (isPicture(body.to)) {
      return this.picture(body, received, signal);
    }
    const [read] = await this.bounds.read([received], body.max_input_tokens, signal);
    return this.text(body.to, read as ReadInput, signal);
  }

  private async picture(
    { to, resize, crop, quality }: TransformInputRequest,
    { accountId, bytes, kind, name }: ReceivedInput,
    signal: AbortSignal,
  ): Promise<Made> {
    if (!isImageKind(kind) || !isPicture(to)) {
      throw new Error(`a ${kind} does not become ${to}`);
    }
    const change = { format: to, resize, crop, quality };
    const order = { accountId, signal };
    const made = await withRefusals(() => this.readers.changeImage(bytes, kind, change, order), name);
    const { width, height } = made;
    return { kind: made.kind, bytes: Buffer.from(made.bytes), width, height, read: '', isCut: false };
  }

  private async text(
    to: OmmTarget,
    { accountId, kind, file, name }: ReadInput,
    signal: AbortSignal,
  ): Promise<Made> {
    const written = WRITTEN_KINDS[to];
    if (file === null || written === undefined) {
      throw new Error(`a ${kind} does not become ${to}`);
    }
    if (!/\S/u.test(file.text)) {
      throw new Unprocessable(`${name}: there is no text in it that could be read. ${SCANNED_PAGES}`);
    }
    const bytes = await withRefusals(() => this.written(written, kind, file, { accountId, signal }), name);
    return { kind: written, bytes, width: null, height: null, read: file.text, isCut: file.isCut };
  }

  private async written(
    to: WrittenKind,
    kind: FileKind,
    { text, markdown }: ReadFile,
    order: FileOrder,
  ): Promise<Buffer> {
    if (to === 'txt' && kind !== 'md') {
      return Buffer.from(text, 'utf8');
    }
    if (markdown === null) {
      return Buffer.from(await this.readers.writePlain(to, text, order));
    }
    return Buffer.from(to === 'md' ? markdown : await this.readers.write(to, markdown, order));
  }
}
