import '../../src/main';
import { reportReady } from '../report-ready';

// The service's own process, which listens on no port in the role of a worker: there is no address to report. That it
// runs shows in the warm-up, which waits for its deliveries.
reportReady('');
