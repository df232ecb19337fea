import { Component, type ReactNode } from "react";
import { ErrorState } from "@/components/feedback/error-state";

interface ErrorBoundaryProps {
  title: string;
  children: ReactNode;
}

/** Keeps a defect in one part of the window from taking the others with it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error("unknown") };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <ErrorState
        title={this.props.title}
        error={this.state.error}
        onRetry={() => this.setState({ error: undefined })}
      />
    );
  }
}
