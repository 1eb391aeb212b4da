"""Results for build pipelines: JUnit files, and problems as annotations."""
