import { describeKilledDocuments } from '../support/documents/killed-documents';

describeKilledDocuments('postgres');
