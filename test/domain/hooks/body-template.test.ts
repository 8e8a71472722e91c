import { expect } from 'chai';
import fc from 'fast-check';
import { acceptTemplate, fillTemplate, MAX_TEMPLATE, TEMPLATE_FIELDS } from '#domain/hooks/body-template.js';
import { CODE_POINT } from '../../support/code-point.js';

describe('A template of a body', () => {
  it('in JSON stays JSON with any text, and its values arrive unchanged', () => {
    const template = acceptTemplate('{"content": "{{station.name}}: {{ text }}", "list": ["{{title}}"]}');
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT }), fc.string(), (text, name) => {
        const { body, contentType } = fillTemplate(template, { text, title: text, 'station.name': name });
        expect(contentType).to.equal('application/json');
        expect(JSON.parse(body)).to.deep.equal({ content: `${name}: ${text}`, list: [text] });
      }),
    );
  });

  it('in another form gets the values as they are, also where they look like a field', () => {
    const template = acceptTemplate('{{station.name}} $& {{text}}');
    expect(fillTemplate(template, { 'station.name': '{{text}}', text: '"$1"' })).to.deep.equal({
      body: '{{text}} $& "$1"',
      contentType: 'text/plain; charset=utf-8',
    });
    expect(fillTemplate('a{{link}}b', {}).body).to.equal('ab');
  });

  it('has known fields, valid JSON and a limited size', () => {
    for (const [template, message] of [
      ['{{station_name}}', 'Did you mean {{station.name}}?'],
      ['{"a": "{{secret}}"}', `The fields are: ${TEMPLATE_FIELDS.join(', ')}.`],
      ['{"a": {{text}}}', 'inside of quotation marks'],
      ['{"a": "{{text}}"', 'it is not JSON'],
      [' ', '1 to 8000'],
      ['x'.repeat(MAX_TEMPLATE + 1), '1 to 8000'],
    ] as const)
      expect(() => acceptTemplate(template)).to.throw(message);
    for (const name of TEMPLATE_FIELDS) expect(acceptTemplate(`{{${name}}}`)).to.equal(`{{${name}}}`);
  });
});
