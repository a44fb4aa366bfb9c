import { Global, Module } from '@nestjs/common';
import { FileReaders } from './file-readers';

/** Provides the whole application with what reads and writes files. No process starts before the first file comes. */
@Global()
@Module({
  providers: [{ provide: FileReaders, useFactory: () => new FileReaders() }],
  exports: [FileReaders],
})
export class FilesModule {}
