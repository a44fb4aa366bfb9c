import { Global, Module } from '@nestjs/common';
import { Clock } from '../../../infrastructure/clock/clock';
import { MemoriesRepository } from '../../knowledge/memories/memories.repository';
import { AgentTools } from './agent-tools';
import { CalculatorTool } from './calculator/calculator.tool';
import { CurrentTimeTool } from './current-time.tool';
import { MemorySearchTool } from './memory-search.tool';

/** Brings the tools that need nothing but core; other groups register theirs with AgentTools. */
@Global()
@Module({
  providers: [
    {
      provide: AgentTools,
      inject: [MemoriesRepository, Clock],
      useFactory: (memories: MemoriesRepository, clock: Clock) => {
        const tools = new AgentTools();
        tools.register(new CalculatorTool());
        tools.register(new CurrentTimeTool(clock));
        tools.register(new MemorySearchTool(memories, clock));
        return tools;
      },
    },
  ],
  exports: [AgentTools],
})
export class AgentToolsModule {}
