import { describeKilledTasks } from '../support/tasks/killed-tasks';

describeKilledTasks('postgres');
