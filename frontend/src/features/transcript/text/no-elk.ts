/** Takes the place of elkjs, a layout that Mermaid loads for few diagrams: its licence is not a permissive one. Such a diagram stays code. */
export default class NoElk {
  layout(): Promise<never> {
    return Promise.reject(new Error("lay out the diagram: elk is not included"));
  }
}
