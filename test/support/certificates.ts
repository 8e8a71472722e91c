/**
 * Node.js reads the certificates that this variable names at each start, which takes 30 ms of CPU time. A run of the tests starts
 * hundreds of processes, and none of them asks a server outside this machine.
 */
delete process.env['NODE_EXTRA_CA_CERTS'];
