class Terrane < Formula
  desc "Plan and apply Terraform and OpenTofu configurations"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "MPL-2.0"

  on_macos do
    on_arm do
      url "@DOWNLOAD@/terrane_@VERSION@_darwin_arm64.tar.gz"
      sha256 "@SHA256 terrane_@VERSION@_darwin_arm64.tar.gz@"
    end
    on_intel do
      url "@DOWNLOAD@/terrane_@VERSION@_darwin_amd64.tar.gz"
      sha256 "@SHA256 terrane_@VERSION@_darwin_amd64.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@DOWNLOAD@/terrane_@VERSION@_linux_arm64.tar.gz"
      sha256 "@SHA256 terrane_@VERSION@_linux_arm64.tar.gz@"
    end
    on_intel do
      url "@DOWNLOAD@/terrane_@VERSION@_linux_amd64.tar.gz"
      sha256 "@SHA256 terrane_@VERSION@_linux_amd64.tar.gz@"
    end
  end

  def install
    bin.install "terrane"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/terrane.bash" => "terrane"
    zsh_completion.install "completions/_terrane"
    fish_completion.install "completions/terrane.fish"
    doc.install "THIRD-PARTY-NOTICES.txt"
  end

  test do
    (testpath/"main.tf").write <<~HCL
      output "greeting" {
        value = "hello"
      }
    HCL
    system bin/"terrane", "apply", "-auto-approve"
    assert_equal "hello", shell_output("#{bin}/terrane output -raw greeting")
  end
end
