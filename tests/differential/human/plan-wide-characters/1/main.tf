resource "terraform_data" "資源" {
  input = {
    "名前"     = "寿司🍣"
    "emoji 👩‍👩‍👧" = "family"
    plain    = "é and e\u0301"
    "ключ"   = ["один", "два"]
  }
}
resource "terraform_data" "lines" {
  input = "一行目\n二行目\n🎉\n"
}
output "出力" { value = "値" }
output "long_output_name" { value = "x" }
check "幅" {
  assert {
    condition     = length(terraform_data.lines.id) > 99
    error_message = "これはとても長いメッセージで、端末の幅よりも長くなるように書かれています。 折り返しはどこで行われるのでしょうか。 それを確かめるための文章です。"
  }
}
