terraform {
  experiments = [foo]
}
