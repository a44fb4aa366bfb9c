// The guarantees of replicas behind a proxy in full depth, with the tests of npm test.
import '../deployment/stack.test';
