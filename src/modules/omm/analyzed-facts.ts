import type { OmmDocumentFacts, OmmImageFacts, OmmTable, OmmTextFacts } from '../../../generated/types';
import type { TextStatistics } from '../../core/text/analysis/text-statistics';
import type { ImageFacts } from '../../infrastructure/files/image-facts';
import type { ReadFile } from '../../infrastructure/files/read-file';

const TABLES_MAX = 20;
const ROWS_MAX = 100;
/** Of the tables of a document together, in UTF-16 units; what is beyond it is left out row by row. */
const CELLS_LENGTH_MAX = 200_000;

export function textMeasures(told: TextStatistics): Pick<OmmTextFacts, 'statistics' | 'readability'> {
  return {
    statistics: {
      characters: told.characters,
      words: told.words,
      sentences: told.sentences,
      paragraphs: told.paragraphs,
      average_sentence_words: told.averageSentenceWords,
      average_word_syllables: told.averageWordSyllables,
      reading_time_seconds: told.readingTimeSeconds,
    },
    readability: {
      flesch_reading_ease: told.fleschReadingEase,
      flesch_kincaid_grade: told.fleschKincaidGrade,
      reading_level: told.readingLevel,
    },
  };
}

export function imageFacts({ exif, ...facts }: ImageFacts): OmmImageFacts {
  return {
    width: facts.width,
    height: facts.height,
    format: facts.format,
    has_alpha: facts.hasAlpha,
    channels: facts.channels,
    dominant_color: facts.dominantColor,
    brightness: facts.brightness,
    sharpness: facts.sharpness,
    frames: facts.frames,
    exif: exif && {
      orientation: exif.orientation,
      density_dpi: exif.densityDpi,
      taken_at: exif.takenAt,
      camera_make: exif.cameraMake,
      camera_model: exif.cameraModel,
    },
  };
}

export function documentFacts({ pages, title, tables, isCut }: ReadFile): OmmDocumentFacts {
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
  return { pages, title, tables: shown, tables_total: tables.length, is_cut: isCut };
}
