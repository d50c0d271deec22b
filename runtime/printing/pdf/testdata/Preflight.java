import java.io.File;
import org.apache.pdfbox.preflight.PreflightDocument;
import org.apache.pdfbox.preflight.ValidationResult;
import org.apache.pdfbox.preflight.exception.SyntaxValidationException;
import org.apache.pdfbox.preflight.parser.PreflightParser;

/** Validates files as PDF/A-1b with Apache PDFBox, prints what is wrong, and fails if anything is. */
public class Preflight {
    public static void main(String[] files) throws Exception {
        boolean valid = true;
        for (String file : files) {
            ValidationResult result;
            PreflightParser parser = new PreflightParser(new File(file));
            try {
                parser.parse();
                try (PreflightDocument document = parser.getPreflightDocument()) {
                    document.validate();
                    result = document.getResult();
                }
            } catch (SyntaxValidationException e) {
                result = e.getResult();
            }
            valid &= result.isValid();
            for (ValidationResult.ValidationError e : result.getErrorsList()) {
                System.out.println(file + ": " + e.getErrorCode() + " " + e.getDetails());
            }
        }
        System.exit(valid ? 0 : 1);
    }
}
