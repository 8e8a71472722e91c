/** A labeled list from which the visitor selects one value. */
export function Choice<Name extends string>({
  label,
  values,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly values: readonly (readonly [value: Name, text: string])[];
  readonly chosen: Name;
  readonly onChoose: (value: Name) => void;
}) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={chosen} onChange={(event) => onChoose(event.currentTarget.value as Name)}>
        {values.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
