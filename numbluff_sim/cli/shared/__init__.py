"""What several commands share: options, how playing is shown, how compiling is told."""
