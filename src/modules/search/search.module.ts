import { Module } from '@nestjs/common';
import { IndexingEstimates } from './indexing-estimates';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';

@Module({ controllers: [SearchController], providers: [IndexingEstimates, SearchService] })
export class SearchModule {}
