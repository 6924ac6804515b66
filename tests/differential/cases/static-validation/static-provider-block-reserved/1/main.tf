provider "null" {
  count = 1
  depends_on = []
  source = "x"
  lifecycle {}
  locals {}
  alias = 1
}
