/** The English texts of the page on which the first administrator is created. */
export const setup = {
  title: 'Create the administrator',
  lead: 'The administrator adds stations, keys and other users. Choose a name and a password.',
  code: 'Code',
  codeHint: 'The code is the end of the address that weatherd printed in the terminal, after “code=”.',
  name: 'Name',
  password: 'Password',
  passwordHint: 'At least 8 characters.',
  repeat: 'Password again',
  different: 'The two passwords differ.',
  submit: 'Create and sign in',
  wrong: 'The code is wrong. Open the address that weatherd printed when it was last started.',
  ended: {
    closed: 'No administrator can be created here now. There are three possible reasons:',
    exists: 'There is an administrator already. Sign in with the name and the password of the administrator.',
    over: 'The address was used, or it is more than an hour old. Stop weatherd in its terminal and start it again: it prints a new address.',
    elsewhere:
      'The first administrator can be created only in a browser on the machine of the service, at the address that weatherd printed in its terminal. On another machine, behind a proxy, or if weatherd runs without a terminal, use the command “weatherd user add NAME --administrator”.',
    signIn: 'Sign in',
  },
};
export type SetupText = typeof setup;
