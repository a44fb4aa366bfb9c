import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { TransformInputCall } from '../../../generated/contract';
import type { OmmTarget, OmmTransformed, TransformInputRequest } from '../../../generated/types';
import { Estimates } from '../../contract/estimates';
import { Unprocessable } from '../../core/errors/request-errors';
import type { ReadInput, ReceivedInput } from '../../core/models/multimodal/input';
import { InputFiles } from '../../core/models/multimodal/input-files';
import { withNamedRefusals } from '../../core/models/multimodal/named-refusals';
import {
  FILE_KINDS,
  isImageKind,
  type FileKind,
  type WrittenKind,
} from '../../infrastructure/files/file-kinds';
import { FileReaders } from '../../infrastructure/files/file-readers';
import type { FileOrder } from '../../infrastructure/files/processes/file-processes';
import type { ReadFile } from '../../infrastructure/files/read-file';
import { OmmEstimates } from './omm-estimates';
import { SCANNED_PAGES } from './processing-rules';
import { RuleAnswers } from './rule-answers';
import { isPicture, judgeTransformation } from './judge-transformation';

/** Of a result as it is sent, in characters. */
const CONTENT_LENGTH_MAX = 8 * 1024 * 1024;
const NAMES = ['input'];

const WRITTEN: Partial<Record<OmmTarget, WrittenKind>> = {
  text: 'txt',
  markdown: 'md',
  html: 'html',
  docx: 'docx',
  pdf: 'pdf',
};

/** A result and, for a picture, its size in pixels. */
interface Made {
  readonly kind: FileKind;
  readonly bytes: Buffer;
  readonly width: number | null;
  readonly height: number | null;
  /** The text that was read for it; '' for a picture. */
  readonly read: string;
  readonly isCut: boolean;
}

/** Brings inputs into other forms. */
@Injectable()
export class TransformationService implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly bounds: OmmEstimates,
    private readonly files: InputFiles,
    private readonly readers: FileReaders,
    private readonly rules: RuleAnswers,
  ) {}

  onModuleInit(): void {
    this.estimates.register('transformInput', ({ body, signal }) => {
      const request = body as TransformInputRequest;
      const { input } = request;
      judgeTransformation(request, input.type === 'url' ? null : input.type);
      const rest = { texts: [], outputTokensMax: 0, model: null, needsModel: false };
      const inputTokensMax = request.max_input_tokens;
      return this.bounds.estimate({ inputs: [input], names: NAMES, inputTokensMax, ...rest }, signal);
    });
  }

  /** Throws what InputFiles.receive and FileReaders throw, and Unprocessable for a result that is too large. */
  async transform(call: TransformInputCall): Promise<OmmTransformed> {
    const { body, signal } = call;
    return this.files.receive([body.input], NAMES, call, async ([received]) => {
      if (received === undefined) {
        throw new Error('an input was lost');
      }
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
        is_cut: made.isCut,
        ...(await this.rules.report(call, 'conversion', [made.read], '')),
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
    const read = await this.files.read(received, signal);
    await this.bounds.judgeRead([read], body.max_input_tokens, signal);
    return this.text(body.to, read, signal);
  }

  private async picture(
    { to, resize, crop, quality }: TransformInputRequest,
    { accountId, bytes, kind, name }: ReceivedInput,
    signal: AbortSignal,
  ): Promise<Made> {
    if (!isImageKind(kind) || !isPicture(to)) {
      throw new Error(`a ${kind} does not become ${to}`);
    }
    const change = {
      format: to,
      ...(resize && { resize }),
      ...(crop && { crop }),
      ...(quality && { quality }),
    };
    const order = { accountId, signal };
    const made = await withNamedRefusals(name, () => this.readers.changeImage(bytes, kind, change, order));
    const { width, height } = made;
    return { kind: made.kind, bytes: Buffer.from(made.bytes), width, height, read: '', isCut: false };
  }

  private async text(
    to: OmmTarget,
    { accountId, kind, file, name }: ReadInput,
    signal: AbortSignal,
  ): Promise<Made> {
    const written = WRITTEN[to];
    if (file === null || written === undefined) {
      throw new Error(`a ${kind} does not become ${to}`);
    }
    if (!/\S/u.test(file.text)) {
      // A scanned document, or an empty one; here no model is asked to read pictures.
      throw new Unprocessable(`${name}: there is no text in it that could be read. ${SCANNED_PAGES}`);
    }
    const bytes = await withNamedRefusals(name, () =>
      this.written(written, kind, file, { accountId, signal }),
    );
    return { kind: written, bytes, width: null, height: null, read: file.text, isCut: file.isCut };
  }

  /** What is asked for as it was read needs no process that writes it. */
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
